/**
 * What `fulmar polyglot types` has a JDK do: its compiler's own model of a source, or of a class of the class path, printed as
 * JSON of the shapes in `java-module.ts`. No class of it is loaded, and nothing is run. Text only; the program runs as it is (`java
 * Describe.java`), with Java 11 and newer.
 */
import { TYPES } from './java-program-types.ts';

export const PROGRAM = String.raw`
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.*;
import java.util.stream.Collectors;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.*;

public class Describe {
    static final int DEPTH_MAX = 6;
    static final int CLASSES_MAX = 500;
    /** What becomes a value wherever it is one of these, in the order of the guest. */
    static final String[][] BASES = {
        {"java.util.Map", "map"}, {"java.util.List", "list"}, {"java.util.Set", "set"}, {"java.util.Collection", "list"},
        {"java.nio.file.Path", "value"}, {"java.nio.ByteBuffer", "value"}, {"java.util.Map.Entry", "entry"},
        {"java.util.Date", "value"}, {"java.util.Calendar", "value"}, {"java.time.temporal.TemporalAccessor", "value"},
        {"java.util.Optional", "optional"}, {"java.util.concurrent.CompletionStage", "future"},
        {"java.util.Iterator", "iterator"}, {"java.util.stream.BaseStream", "iterator"}, {"java.util.Enumeration", "iterator"},
        {"java.lang.Iterable", "iterable"},
    };

    static Types types;
    static Elements elements;
    static Trees trees;
    static final Map<String, TypeElement> wanted = new LinkedHashMap<>();
    static String target;

    public static void main(String[] arguments) {
        System.setOut(new java.io.PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8));
        Object result;
        try {
            result = describe(arguments[0], arguments[1], arguments[2], arguments[3]);
        } catch (RuntimeException | StackOverflowError problem) {
            result = problem(String.valueOf(problem.getMessage() == null ? problem : problem.getMessage()), 0, "");
        }
        StringBuilder text = new StringBuilder();
        write(result, text);
        System.out.println(text);
    }

    static Map<String, Object> problem(String message, long line, String file) {
        return Map.of("error", Map.of("message", message, "line", line, "file", file));
    }

    /** A source, or nothing; the class; where the packages begin. */
    static Object describe(String file, String name, String classPath, String root) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ENGLISH, StandardCharsets.UTF_8);
        List<String> options = List.of("-proc:none", "-Xlint:none", "-implicit:none", "-classpath", classPath, "-sourcepath", root);
        JavaFileObject nothing = new SimpleJavaFileObject(java.net.URI.create("string:///FulmarNothing.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignored) {
                return "class FulmarNothing {}";
            }
        };
        Iterable<? extends JavaFileObject> units = file.isEmpty() ? List.of(nothing) : files.getJavaFileObjects(Path.of(file));
        JavacTask task = (JavacTask) compiler.getTask(new StringWriter(), files, found, options, null, units);
        try {
            task.analyze();
        } catch (java.io.IOException problem) {
            return problem(problem.toString(), 0, "");
        }
        for (Diagnostic<? extends JavaFileObject> one : found.getDiagnostics())
            if (one.getKind() == Diagnostic.Kind.ERROR) {
                String source = one.getSource() == null ? "" : Path.of(one.getSource().toUri()).toString();
                return problem(one.getMessage(Locale.ENGLISH), Math.max(0, one.getLineNumber()), source);
            }
        types = task.getTypes();
        elements = task.getElements();
        trees = Trees.instance(task);
        target = name;
        TypeElement type = elements.getTypeElement(name.replace('$', '.'));
        if (type == null) return problem(file.isEmpty() ? "there is no class " + name + " on the class path" : "it has no class " + name + ": the class that is imported has the name of its file", 0, "");
        want(type);
        List<Object> all = new ArrayList<>();
        for (int at = 0; at < wanted.size() && at < CLASSES_MAX; at += 1)
            all.add(classOf(new ArrayList<>(wanted.values()).get(at)));
        return Map.of("name", type.getQualifiedName().toString(), "classes", all);
    }

    static void want(TypeElement type) {
        wanted.putIfAbsent(type.getQualifiedName().toString(), type);
    }

    static boolean isPublic(Element one) {
        return one.getModifiers().contains(Modifier.PUBLIC);
    }

    static boolean isStatic(Element one) {
        return one.getModifiers().contains(Modifier.STATIC);
    }

    static Map<String, Object> classOf(TypeElement type) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("name", type.getQualifiedName().toString());
        made.put("kind", kindOf(type));
        made.put("doc", elements.getDocComment(type));
        made.put("supers", supers(type.asType(), new TreeSet<>()));
        made.put("permitted", permitted(type));
        made.put("isAbstract", type.getModifiers().contains(Modifier.ABSTRACT));
        List<TypeMirror> iterable = view(type.asType(), "java.lang.Iterable");
        made.put("iterates", iterable == null ? null : argument(iterable, 0, 0));
        made.put("function", function((DeclaredType) type.asType(), 0));
        List<? extends Element> members = elements.getAllMembers(type).stream()
                .filter(one -> isPublic(one) && !isGeneral(one.getEnclosingElement()))
                .collect(Collectors.toList());
        List<Object> constants = new ArrayList<>();
        List<Object> fields = new ArrayList<>();
        List<Object> inner = new ArrayList<>();
        List<Object> methods = new ArrayList<>();
        for (Element one : members) {
            String kind = one.getKind().name();
            if (kind.equals("ENUM_CONSTANT")) constants.add(one.getSimpleName().toString());
            else if (kind.equals("FIELD")) fields.add(fieldOf(one, type));
            else if (kind.equals("METHOD")) methods.add(signature((ExecutableElement) one, (DeclaredType) type.asType()));
            else if (one instanceof TypeElement) {
                want((TypeElement) one);
                inner.add(((TypeElement) one).getQualifiedName().toString());
            }
        }
        made.put("constants", constants);
        made.put("fields", fields);
        made.put("inner", inner);
        made.put("methods", methods);
        made.put("components", components(type));
        List<Object> constructors = new ArrayList<>();
        for (ExecutableElement one : ElementFilter.constructorsIn(type.getEnclosedElements()))
            if (isPublic(one)) constructors.add(signature(one, (DeclaredType) type.asType()));
        made.put("constructors", constructors);
        return made;
    }

    /** Interfaces of records and enums, whose values are none of these. */
    static List<String> supers(TypeMirror type, Set<String> all) {
        for (TypeMirror one : types.directSupertypes(type))
            if (one.getKind() == TypeKind.DECLARED && all.add(((TypeElement) ((DeclaredType) one).asElement()).getQualifiedName().toString())) supers(one, all);
        return new ArrayList<>(all);
    }

    /** Of a sealed one; Java 11 knows none. */
    static List<String> permitted(TypeElement type) {
        List<String> all = new ArrayList<>();
        try {
            for (Object one : (List<?>) TypeElement.class.getMethod("getPermittedSubclasses").invoke(type)) {
                TypeElement permitted = (TypeElement) ((DeclaredType) one).asElement();
                want(permitted);
                all.add(permitted.getQualifiedName().toString());
            }
        } catch (ReflectiveOperationException none) {
            return all;
        }
        return all;
    }

    /** What every object, enum or record has. */
    static boolean isGeneral(Element one) {
        return isOf(one, "java.lang.Object") || isOf(one, "java.lang.Enum") || isOf(one, "java.lang.Record");
    }

    static String kindOf(TypeElement type) {
        String kind = type.getKind().name();
        return kind.equals("ENUM") || kind.equals("RECORD") || kind.equals("INTERFACE") ? kind.toLowerCase(Locale.ROOT) : "class";
    }

    /** Of a record, by the fields that it has: Java 11 knows none. */
    static List<Object> components(TypeElement type) {
        List<Object> all = new ArrayList<>();
        if (!kindOf(type).equals("record")) return all;
        for (VariableElement one : ElementFilter.fieldsIn(type.getEnclosedElements()))
            if (!isStatic(one)) all.add(fieldOf(one, type));
        return all;
    }

    static Map<String, Object> fieldOf(Element one, TypeElement type) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("name", one.getSimpleName().toString());
        made.put("isStatic", isStatic(one));
        made.put("doc", elements.getDocComment(one));
        made.put("type", nullable(one, describe(memberType(one, (DeclaredType) type.asType()), 0)));
        return made;
    }

    static TypeMirror memberType(Element one, DeclaredType type) {
        return isStatic(one) ? one.asType() : types.asMemberOf(type, one);
    }

    static Map<String, Object> signature(ExecutableElement one, DeclaredType type) {
        ExecutableType own = (ExecutableType) (one.getKind() == ElementKind.CONSTRUCTOR ? one.asType() : memberType(one, type));
        boolean isRecord = kindOf((TypeElement) one.getEnclosingElement()).equals("record") && one.getKind() == ElementKind.CONSTRUCTOR;
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("name", one.getSimpleName().toString());
        made.put("isStatic", isStatic(one));
        made.put("doc", elements.getDocComment(one));
        made.put("isRest", one.isVarArgs());
        made.put("isNamed", isRecord || trees.getTree(one) != null);
        List<Object> parameters = new ArrayList<>();
        for (int at = 0; at < one.getParameters().size(); at += 1) {
            VariableElement parameter = one.getParameters().get(at);
            Map<String, Object> described = new LinkedHashMap<>();
            described.put("name", parameter.getSimpleName().toString());
            described.put("type", nullable(parameter, describe(own.getParameterTypes().get(at), 0)));
            parameters.add(described);
        }
        made.put("parameters", parameters);
        made.put("written", one.getParameters().stream().map(each -> simple(types.erasure(each.asType()))).collect(Collectors.joining(",")));
        made.put("returns", nullable(one, describe(own.getReturnType(), 0)));
        return made;
    }

    /** As Class.getSimpleName() has it. */
    static String simple(TypeMirror type) {
        if (type.getKind() == TypeKind.ARRAY) return simple(((ArrayType) type).getComponentType()) + "[]";
        return type.getKind() == TypeKind.DECLARED ? ((DeclaredType) type).asElement().getSimpleName().toString() : type.getKind().name().toLowerCase(Locale.ROOT);
    }

    static Map<String, Object> nullable(Element one, Map<String, Object> type) {
        List<AnnotationMirror> all = new ArrayList<>(one.getAnnotationMirrors());
        TypeMirror own = one instanceof ExecutableElement ? ((ExecutableElement) one).getReturnType() : one.asType();
        all.addAll(own.getAnnotationMirrors());
        boolean isNullable = all.stream().anyMatch(each -> each.getAnnotationType().asElement().getSimpleName().toString().matches("Nullable|CheckForNull"));
        if (!isNullable) return type;
        Map<String, Object> made = new LinkedHashMap<>(type);
        made.put("isNullable", true);
        return made;
    }
${TYPES}`;
