import java.io.IOException;
import java.util.stream.LongStream;
import sun.misc.Signal;

/** What a process does about Java when it ends. */
public final class End {
    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("behind all")));
    }

    private End() {}

    public static void write(String text) {
        System.out.print(text);
    }

    public static void spin() {
        while (!Thread.interrupted()) Thread.onSpinWait();
    }

    /** Computes, and never looks whether it is still wanted. */
    public static void never_look() {
        while (true) Thread.onSpinWait();
    }

    public static String sleep(double seconds) throws InterruptedException {
        Thread.sleep((long) (seconds * 1000));
        return "slept";
    }

    public static void start_thread() {
        new Thread(End::never_look).start();
    }

    /** A program. */
    public static String fork() throws IOException {
        Process process = new ProcessBuilder("sh", "-c", "printf 42").start();
        return new String(process.getInputStream().readAllBytes());
    }

    public static String take_signal() {
        for (String name : new String[] {"INT", "TERM", "HUP"}) {
            try {
                Signal.handle(new Signal(name), signal -> System.out.println("taken"));
                return name + " was taken";
            } catch (IllegalArgumentException refused) {
                // As it should be.
            }
        }
        return "each stays with JavaScript";
    }

    /** Asks nothing for its hash, so often that the question is compiled: to an access that the machine's signal handler sees. */
    public static int nothing(int times) {
        int caught = 0;
        Object nothing = null;
        for (int time = 0; time < times; time += 1) {
            try {
                nothing.hashCode();
            } catch (NullPointerException problem) {
                caught += 1;
            }
        }
        return caught;
    }

    public static int deep() {
        return deep() + 1;
    }

    public static long count(int numbers) {
        return LongStream.range(0, numbers).sum();
    }
}
