NONE = ""
