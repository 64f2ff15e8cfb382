from tools.marks import END


def shout(word):
    return word.upper() + END
