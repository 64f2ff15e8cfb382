from .marks import END
