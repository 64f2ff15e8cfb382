/**
 * What `fulmar polyglot types` has an interpreter do: it parses a file (`ast`) and prints what is declared there, as JSON
 * of the shapes in `python-module.ts`. The file is not run and nothing of it is imported. For Python 3.9 and later.
 */
export const PROGRAM = `
import ast, json, sys

def dotted(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        of = dotted(node.value)
        return None if of is None else of + "." + node.attr
    return None

def constant(node, depth):
    value = node.value
    kinds = {str: "str", bool: "bool", int: "int", float: "float", bytes: "bytes"}
    one = {"kind": "constant", "type": "none" if value is None else "ellipsis" if value is ... else kinds.get(type(value), "other")}
    if isinstance(value, (str, bool)):
        one["value"] = value
    elif isinstance(value, int):
        one["value"] = str(value)
    if isinstance(value, str) and depth < 4:
        # A type may be written as a text.
        try:
            one["parsed"] = expression(ast.parse(value.strip(), mode="eval").body, depth + 1)
        except (SyntaxError, ValueError):
            pass
    return one

def expression(node, depth=0):
    if node is None:
        return None
    name = dotted(node)
    if name is not None:
        return {"kind": "name", "name": name}
    every = lambda nodes: [expression(one, depth) for one in nodes]
    if isinstance(node, ast.Constant):
        return constant(node, depth)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        inner = constant(node.operand, depth)
        if "value" in inner:
            inner["value"] = "-" + str(inner["value"])
        return inner
    if isinstance(node, ast.Subscript):
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) and node.slice.elts else [node.slice]
        return {"kind": "index", "of": expression(node.value, depth), "items": every(items)}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return {"kind": "or", "items": every([node.left, node.right])}
    if isinstance(node, ast.Call):
        return {"kind": "call", "of": expression(node.func, depth), "items": every(node.args), "named": [one.arg for one in node.keywords if one.arg]}
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return {"kind": type(node).__name__.lower(), "items": every(node.elts)}
    if isinstance(node, ast.Dict):
        return {"kind": "dict", "items": []}
    return {"kind": "other"}

def own(body):
    """The statements of a function, without those of functions within."""
    waiting = list(body)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))

def parameters(args):
    listed = []
    add = lambda arg, kind, optional: listed.append({"name": arg.arg, "kind": kind, "annotation": expression(arg.annotation), "isOptional": optional})
    positional = args.posonlyargs + args.args
    required = len(positional) - len(args.defaults)
    for at, arg in enumerate(positional):
        add(arg, "positional" if at < len(args.posonlyargs) else "any", at >= required)
    if args.vararg:
        add(args.vararg, "rest", True)
    for arg, default in zip(args.kwonlyargs, args.kw_defaults):
        add(arg, "named", default is not None)
    if args.kwarg:
        add(args.kwarg, "named rest", True)
    return listed

def function(node):
    return {
        "kind": "function",
        "name": node.name,
        "doc": ast.get_docstring(node),
        "isAsync": isinstance(node, ast.AsyncFunctionDef),
        "isGenerator": any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in own(node.body)),
        "decorators": [dotted(one.func if isinstance(one, ast.Call) else one) or "" for one in node.decorator_list],
        "parameters": parameters(node.args),
        "returns": expression(node.returns),
    }

def of_self(node):
    """What \`__init__\` makes of itself."""
    if not node.args.args:
        return
    me = node.args.args[0].arg
    annotations = {arg.arg: arg.annotation for arg in node.args.args + node.args.kwonlyargs}
    for one in own(node.body):
        targets = [one.target] if isinstance(one, ast.AnnAssign) else one.targets if isinstance(one, ast.Assign) else []
        for target in targets:
            if not (isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == me):
                continue
            annotation = one.annotation if isinstance(one, ast.AnnAssign) else annotations.get(one.value.id) if isinstance(one.value, ast.Name) else None
            yield {"kind": "value", "name": target.attr, "annotation": expression(annotation), "value": expression(one.value)}

def type_alias(node):
    return {"kind": "value", "name": node.name.id, "annotation": {"kind": "name", "name": "TypeAlias"}, "value": expression(node.value)}

def declared(body):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield function(node)
        elif isinstance(node, ast.ClassDef):
            inits = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
            yield {
                "kind": "class",
                "name": node.name,
                "doc": ast.get_docstring(node),
                "bases": [expression(one) for one in node.bases],
                "keywords": {one.arg: expression(one.value) for one in node.keywords if one.arg},
                "decorators": [dotted(one.func if isinstance(one, ast.Call) else one) or "" for one in node.decorator_list],
                "body": list(declared(node.body)) + [one for init in inits for one in of_self(init)],
            }
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield {"kind": "value", "name": node.target.id, "annotation": expression(node.annotation), "value": expression(node.value)}
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield {"kind": "value", "name": target.id, "annotation": None, "value": expression(node.value)}
        elif isinstance(node, ast.Import):
            for one in node.names:
                yield {"kind": "import", "name": one.asname or one.name.partition(".")[0], "from": one.name if one.asname else one.name.partition(".")[0]}
        elif isinstance(node, ast.ImportFrom):
            for one in node.names:
                yield {"kind": "import", "name": one.asname or one.name, "from": (node.module or "") + "." + one.name}
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            inner = node.body + getattr(node, "orelse", []) + getattr(node, "finalbody", [])
            yield from declared(inner + [one for handler in getattr(node, "handlers", []) for one in handler.body])
        elif type(node).__name__ == "TypeAlias":
            yield type_alias(node)

file = sys.argv[1]
with open(file, "rb") as opened:
    source = opened.read()
try:
    tree = ast.parse(source, file)
    print(json.dumps({"doc": ast.get_docstring(tree), "body": list(declared(tree.body))}))
except SyntaxError as error:
    print(json.dumps({"error": {"message": error.msg, "line": error.lineno or 0, "code": (error.text or "").strip()}}))
except (ValueError, RecursionError) as error:
    print(json.dumps({"error": {"message": str(error), "line": 0, "code": ""}}))
`;
