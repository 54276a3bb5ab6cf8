"""Helpers of the Makefile; none of this is shipped."""
