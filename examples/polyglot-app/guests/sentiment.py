"""What a review thinks of its book: a small model of scikit-learn, trained with the texts that it is given."""

from typing import Literal, TypedDict

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

Mood = Literal["good", "bad"]


class Judgement(TypedDict):
    mood: Mood
    confidence: float


class NothingKnown(ValueError):
    """A text without a word that the model has seen: what it would say is a guess."""


class Model:
    def __init__(self, texts: list[str], moods: list[Mood]):
        """Trains it: a text and what it thinks, one beside the other."""
        self._words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
        self._line = LogisticRegression(C=10)
        self._line.fit(self._words.fit_transform(texts), moods)

    def judge(self, texts: list[str]) -> list[Judgement]:
        """All texts at once, which costs little more than one of them."""
        rows = self._words.transform(texts)
        for at, known in enumerate(rows.getnnz(axis=1)):
            if known == 0:
                raise NothingKnown(f"text {at} has no word that the model knows")
        judgements: list[Judgement] = []
        for likely in self._line.predict_proba(rows):
            best = likely.argmax()
            judgements.append({"mood": self._line.classes_[best], "confidence": round(float(likely[best]), 3)})
        return judgements

    def known_words(self) -> int:
        return len(self._words.vocabulary_)
