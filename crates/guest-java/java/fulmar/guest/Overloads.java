package fulmar.guest;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Which of several methods of a name is meant: the one whose parameters are the nearest to the arguments. */
final class Overloads {
    private static final int LISTED_MAX = 12;
    /** Behind all that take as many arguments as are given. */
    private static final int REST = 1_000;

    private Overloads() {}

    /** A method with its arguments, converted. */
    static final class Chosen {
        final Signature signature;
        final Object[] arguments;

        Chosen(Signature signature, Object[] arguments) {
            this.signature = signature;
            this.arguments = arguments;
        }
    }

    private static final class Candidate {
        final Signature signature;
        final Object[] given;
        final boolean isSpread;

        Candidate(Signature signature, Object[] given, boolean isSpread) {
            this.signature = signature;
            this.given = given;
            this.isSpread = isSpread;
        }

        Type type(int index) {
            int last = signature.types.length - 1;
            return isSpread && index >= last ? elementOf(signature.types[last]) : signature.types[index];
        }

        int cost() {
            int sum = isSpread ? REST : 0;
            for (int index = 0; index < given.length; index += 1) {
                int one = Convert.cost(given[index], type(index));
                if (one == Convert.NO) return Convert.NO;
                sum += one;
            }
            return sum;
        }

        Chosen chosen(String what) {
            Object[] arguments = new Object[signature.types.length];
            int fixed = isSpread ? arguments.length - 1 : arguments.length;
            for (int index = 0; index < fixed; index += 1) arguments[index] = converted(index, what);
            if (isSpread) {
                Object rest = Array.newInstance(signature.raw[fixed].getComponentType(), given.length - fixed);
                for (int index = fixed; index < given.length; index += 1) Array.set(rest, index - fixed, converted(index, what));
                arguments[fixed] = rest;
            }
            return new Chosen(signature, arguments);
        }

        private Object converted(int index, String what) {
            return Convert.to(given[index], type(index), "argument " + (index + 1) + " of " + what);
        }

        /** Whatever this one takes, the other one takes, too. */
        boolean isNearerThan(Candidate other) {
            if (given.length != other.given.length) return false;
            for (int index = 0; index < given.length; index += 1) {
                Class<?> own = Convert.raw(type(index));
                if (!Convert.raw(other.type(index)).isAssignableFrom(own)) return false;
            }
            return true;
        }
    }

    private static Type elementOf(Type array) {
        return array instanceof GenericArrayType
                ? ((GenericArrayType) array).getGenericComponentType()
                : ((Class<?>) array).getComponentType();
    }

    static Chosen choose(Signature[] all, Object[] arguments, Map<String, Object> named, String what) throws NoSuchMethodException {
        List<Candidate> candidates = named == null ? positional(all, arguments) : byName(all, arguments, named, what);
        // The only one says itself what does not fit.
        if (candidates.size() == 1) return candidates.get(0).chosen(what);
        List<Candidate> best = new ArrayList<>();
        int lowest = Integer.MAX_VALUE;
        for (Candidate candidate : candidates) {
            int cost = candidate.cost();
            if (cost == Convert.NO || cost > lowest) continue;
            if (cost < lowest) best.clear();
            lowest = cost;
            best.add(candidate);
        }
        if (best.isEmpty()) throw none(all, arguments, named, what);
        return (best.size() == 1 ? best.get(0) : nearest(best, what)).chosen(what);
    }

    private static List<Candidate> positional(Signature[] all, Object[] arguments) {
        List<Candidate> candidates = new ArrayList<>(all.length);
        for (Signature one : all) {
            int count = one.types.length;
            if (count == arguments.length) candidates.add(new Candidate(one, arguments, false));
            if (one.isVarArgs && arguments.length >= count - 1) candidates.add(new Candidate(one, arguments, true));
        }
        return candidates;
    }

    /** Those whose parameters are all given, by position or by name. */
    private static List<Candidate> byName(Signature[] all, Object[] arguments, Map<String, Object> named, String what)
            throws NoSuchMethodException {
        List<Candidate> candidates = new ArrayList<>();
        boolean hasNames = false;
        for (Signature one : all) {
            if (one.names == null) continue;
            hasNames = true;
            Object[] given = ordered(one.names, arguments, named);
            if (given != null) candidates.add(new Candidate(one, given, false));
        }
        if (hasNames) return candidates;
        throw new NoSuchMethodException(
                what + " has no names of parameters: they are kept by javac -parameters, and by records. Give the arguments by position");
    }

    private static Object[] ordered(String[] names, Object[] arguments, Map<String, Object> named) {
        if (names.length != arguments.length + named.size()) return null;
        Object[] given = Arrays.copyOf(arguments, names.length);
        for (int index = arguments.length; index < names.length; index += 1) {
            if (!named.containsKey(names[index])) return null;
            given[index] = named.get(names[index]);
        }
        return given;
    }

    private static Candidate nearest(List<Candidate> best, String what) throws NoSuchMethodException {
        for (Candidate one : best) {
            boolean isNearest = true;
            for (Candidate other : best) isNearest &= other == one || one.isNearerThan(other);
            if (isNearest) return one;
        }
        Signature first = sorted(best.stream().map(one -> one.signature).toArray(Signature[]::new)).get(0);
        String name = first.toString().replace(" ", "");
        throw new NoSuchMethodException(what + " is meant in several ways: " + listed(best) + ". Name one: object['"
                + first.executable.getName() + name + "'](…)");
    }

    private static String listed(List<Candidate> candidates) {
        StringBuilder text = new StringBuilder();
        Signature[] all = candidates.stream().map(one -> one.signature).toArray(Signature[]::new);
        for (Signature one : sorted(all)) text.append(text.length() == 0 ? "" : ", ").append(one);
        return text.toString();
    }

    /** Java has them in no order. */
    private static List<Signature> sorted(Signature[] all) {
        List<Signature> sorted = new ArrayList<>(Arrays.asList(all));
        sorted.sort(Comparator.<Signature>comparingInt(one -> one.types.length).thenComparing(Signature::toString));
        return sorted.subList(0, Math.min(sorted.size(), LISTED_MAX));
    }

    private static NoSuchMethodException none(Signature[] all, Object[] arguments, Map<String, Object> named, String what) {
        StringBuilder given = new StringBuilder();
        for (Object argument : arguments) given.append(given.length() == 0 ? "" : ", ").append(Convert.kind(argument));
        if (named != null) given.append(given.length() == 0 ? "" : ", ").append("by name ").append(named.keySet());
        StringBuilder known = new StringBuilder();
        for (Signature one : sorted(all)) {
            known.append(known.length() == 0 ? "" : ", ").append(one);
            if (named != null && one.names != null) known.append(' ').append(Arrays.toString(one.names));
        }
        return new NoSuchMethodException(what + " takes no (" + given + "); it takes " + known);
    }
}
