# Modules

_loaded_files = {}
# By file: one thread loads it, and others wait for that.
_locks = {}
_locks_lock = threading.Lock()
# Between two looks whether the call that waits was given up: a lock itself hears of nothing.
LOOK_S = 0.1


def load(specifier, options):
    """The module of a file (an absolute path) or of a name."""
    options = options or {}
    if options.get("forget"):
        return _forget(**options["forget"])
    if not os.path.isabs(specifier):
        return _load_again(specifier) if options.get("reload") else importlib.import_module(specifier)
    if options.get("sources"):
        return _load_once(specifier, lambda: _load_embedded(specifier, options["sources"]))
    path = os.path.realpath(specifier)
    is_package = os.path.isdir(path)
    file = os.path.join(path, "__init__.py") if is_package else path
    if options.get("reload"):
        _forget(os.path.dirname(path))
    return _load_once(file, lambda: _load_file(file, path, is_package))


def _load_once(file, make):
    with _locks_lock:
        lock = _locks.setdefault(file, threading.RLock())
    while not lock.acquire(timeout=LOOK_S):
        pass
    try:
        known = _loaded_files.get(file)
        if known is None:
            known = _loaded_files[file] = make()
        return known
    finally:
        lock.release()


def _load_file(file, path, is_package):
    if not os.path.exists(file):
        raise FileNotFoundError(f"no such file: {file}")
    folder, name = os.path.split(path)
    name = name if is_package else os.path.splitext(name)[0]
    if folder not in sys.path:
        # As if it were run: modules beside it are found.
        sys.path.insert(0, folder)
    for known, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) == file:
            # Waits where another thread is at it.
            return importlib.import_module(known)
    name = _free_name(name, file)
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=[path] if is_package else None)
    if spec is None or spec.loader is None:
        raise ImportError(f"Python does not know how to load {file}: a .py file is expected, or a folder with __init__.py")
    return _executed(spec)


def _executed(spec):
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(spec.name, None)
        raise
    return module


def _load_again(name):
    """A module by name: with all of its folder where it is a file of the application's, else it alone."""
    module = importlib.import_module(name)
    file = getattr(module, "__file__", None)
    if file is None or _is_installed(file):
        raise ImportError(f"{name} is not loaded again: that is done for files of the application, and this is {file or 'built in'}")
    _forget(os.path.dirname(file))
    return importlib.import_module(name)


def _is_installed(file):
    parts = file.split(os.sep)
    return "site-packages" in parts or "dist-packages" in parts or file.startswith((sys.base_prefix + os.sep + "lib", sys.prefix + os.sep + "lib"))


def _forget(folder, files=None):
    """Modules of files below a folder are loaded anew with their next import; what there is of them stays as it is.

    With `files`, only if one of these is loaded. Returns those of them that are, without, all that are forgotten.
    """
    folder = os.path.join(os.path.realpath(folder), "")
    below = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        # Packages without a file, which have their modules as attributes.
        places = [file] if isinstance(file, str) else list(getattr(module, "__path__", None) or [])
        real = [os.path.realpath(place) for place in places if isinstance(place, str)]
        if any(place.startswith(folder) and not _is_installed(place) for place in real):
            below[name] = real[0]
    known = list(below.values()) if files is None else [file for file in below.values() if file in files]
    if not known:
        return []
    for name, file in below.items():
        sys.modules.pop(name, None)
        linecache.checkcache(file)
    for file in [file for file in _loaded_files if file.startswith(folder)]:
        del _loaded_files[file]
    for file in known:
        # It is told from another one by whole seconds and its size.
        try:
            os.unlink(importlib.util.cache_from_source(file))
        except (OSError, NotImplementedError, ValueError):
            pass
    importlib.invalidate_caches()
    return known


class _Embedded:
    """Finds and loads modules whose texts an executable carries: by path, as if they were files."""

    def __init__(self):
        self.texts = {}
        self.folders = []

    def add(self, texts, folder):
        self.texts.update(texts)
        if folder not in self.folders:
            self.folders.append(folder)
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def find_spec(self, fullname, path=None, target=None):
        name = fullname.rpartition(".")[2]
        for folder in self.folders if path is None else path:
            for file, is_package in ((os.path.join(folder, name, "__init__.py"), True), (os.path.join(folder, f"{name}.py"), False)):
                if file in self.texts:
                    return self.spec(fullname, file, is_package)
        return None

    def spec(self, name, file, is_package=False):
        spec = importlib.util.spec_from_loader(name, self, origin=file, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(file)]
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        file = module.__spec__.origin
        text = self.texts[file]
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        exec(compile(text, file, "exec"), module.__dict__)


_embedded = _Embedded()


def _load_embedded(file, texts):
    is_package = os.path.basename(file) == "__init__.py"
    path = os.path.dirname(file) if is_package else os.path.splitext(file)[0]
    _embedded.add(texts, os.path.dirname(path))
    return _executed(_embedded.spec(_free_name(os.path.basename(path), file), file, is_package))


def _free_name(name, file):
    """The file's own name, unless something else has it."""
    name = "".join(part if part.isalnum() else "_" for part in name)
    if name in sys.modules or name in sys.stdlib_module_names if hasattr(sys, "stdlib_module_names") else name in sys.modules:
        return f"{name}_{hashlib.sha256(file.encode()).hexdigest()[:8]}"
    return name


_main = types.ModuleType("__main__")
_main.__dict__["__builtins__"] = builtins
_evaluated = itertools.count(1)
# Names of what was evaluated, of which tracebacks show the lines; the oldest first.
_shown = {}
SHOWN_MAX = 1000


def _show_lines(name, code):
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    _shown.pop(name, None)
    _shown[name] = None
    if len(_shown) > SHOWN_MAX:
        oldest = next(iter(_shown))
        _shown.pop(oldest, None)
        linecache.cache.pop(oldest, None)


def evaluate(code, name, options):
    """The value of the last expression; `options['locals']` are names of the code's own."""
    name = name or f"<eval {next(_evaluated)}>"
    _show_lines(name, code)
    tree = ast.parse(code, name)
    scope = _main.__dict__
    if options and options.get("locals") is not None:
        scope = {**scope, **options["locals"]}
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    if tree.body:
        exec(compile(tree, name, "exec"), scope)
    if last is None or (options and options.get("statements")):
        if last is not None:
            exec(compile(ast.Module([last], []), name, "exec"), scope)
        return None
    return eval(compile(ast.Expression(last.value), name, "eval"), scope)


