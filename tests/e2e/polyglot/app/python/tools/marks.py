END = "!"
