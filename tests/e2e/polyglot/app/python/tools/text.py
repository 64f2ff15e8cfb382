from . import marks


def shout(word):
    return word.upper() + marks.END
