/**
 * What `fulmar help polyglot` prints. Text only; apart from the other helps, so that no start of an application reads it.
 */

export const polyglotHelp = `Usage: fulmar polyglot types [options] <file.py | file.rb | File.java | com.acme.Class> [more]

Makes TypeScript's types of files of other languages, and writes them beside each (model.py: model.d.py.ts), where TypeScript finds
them for import model from './model.py' with allowArbitraryExtensions. Nothing of the files is run; what is not known is unknown.

Python: annotations and docstrings, of functions, coroutines and generators, classes with methods, properties and attributes,
dataclasses, models of pydantic, named tuples, TypedDict, enums. The file is parsed by the interpreter that fulmar/polyglot would use.

Java: public methods, constructors and fields with their overloads, of a source or, by its name, of a compiled class; nested classes,
records, enums, and the classes that these use. They are read by the compiler of the Java that fulmar/polyglot would use: a JDK has
one. Of com.acme.Model it writes com.acme.Model.d.ts.

Ruby: what RBS says of a file, text.rbs beside text.rb or below a folder sig of the project: methods with their overloads, classes,
modules, interfaces, attributes, constants, aliases of types. It is read without Ruby.

      --class-path <paths> jars or folders of classes, with : between them; 'lib/*' are all jars of a folder. May be given again
      --rbs <file>         the RBS of one of Ruby, where it stands elsewhere. May be given again, for types that it uses
  -o, --out <file>         where to write it, of one file
  -h, --help               show this

Arguments by name are given by kwargs(), as the last one: model.predict(rows, kwargs({ scale: 2 })).

Exit code: 0, 1 when a file cannot be read or does not parse, 2 when the command line is not understood.

Examples:
  fulmar polyglot types model.py
  fulmar polyglot types src/*.py text.rb com/acme/Model.java
  fulmar polyglot types com.acme.Model --class-path 'lib/*'
`;
