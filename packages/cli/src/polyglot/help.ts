/**
 * What `fulmar help polyglot` prints. Text only; apart from the other helps, so that no start of an application reads it.
 */

export const polyglotHelp = `Usage: fulmar polyglot types [--out <file>] <file.py> [more files]

Makes TypeScript's types of a file of Python, of its annotations and docstrings: functions, coroutines and generators, classes with
methods, properties and attributes, dataclasses, models of pydantic, named tuples, TypedDict, enums. The file is parsed by the
interpreter that fulmar/polyglot would use, and not run. What has no annotation is unknown. Of model.py it writes model.d.py.ts
beside it, which TypeScript finds for import model from './model.py' where allowArbitraryExtensions is set.

      --out <file>         where to write it, of one file
  -h, --help               show this

Arguments by name are given by kwargs(), as the last one: model.predict(rows, kwargs({ scale: 2 })).

Only Python's annotations are read: of signatures of Java and of RBS nothing is made yet. There an interface that you write
yourself says the types: java.import<Model>('./Model.java').

Exit code: 0, 1 when a file cannot be read or does not parse, 2 when the command line is not understood.

Examples:
  fulmar polyglot types model.py
  fulmar polyglot types src/*.py
`;
