"""What `structure` needs: the blocks of a source, its sections, where each block may be cut and what goes in front."""
