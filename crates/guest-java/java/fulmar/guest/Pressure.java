package fulmar.guest;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Objects of JavaScript's are let go of when Java's collector has found that nobody has them. It looks when Java's own heap
 * is full, which it may never be: what a function of JavaScript's keeps alive is on the other side. So it is asked to
 * look where many are out.
 */
final class Pressure {
    private static final int OUT_MIN = 1_000;
    /** Between two looks. */
    private static final long REST_MS = 200;

    private static final AtomicInteger OUT = new AtomicInteger();
    private static final AtomicLong TAKEN = new AtomicLong();
    private static final AtomicBoolean IS_LOOKING = new AtomicBoolean();
    private static volatile int limit = OUT_MIN;

    private Pressure() {}

    static void taken() {
        TAKEN.incrementAndGet();
        if (OUT.incrementAndGet() < limit || !IS_LOOKING.compareAndSet(false, true)) return;
        Thread thread = new Thread(Pressure::look, "fulmar-pressure");
        thread.setDaemon(true);
        thread.start();
    }

    static void letGo() {
        OUT.decrementAndGet();
    }

    private static void look() {
        long before = TAKEN.get();
        try {
            System.gc();
            // Meanwhile those that were found are let go of.
            Thread.sleep(REST_MS);
        } catch (InterruptedException ended) {
            // Nobody has asked for that: the next one looks again.
        } finally {
            // What was out before and still is, is in use; what came meanwhile says nothing.
            long inUse = OUT.get() - (TAKEN.get() - before);
            limit = (int) Math.max(OUT_MIN, inUse * 2);
            IS_LOOKING.set(false);
        }
    }
}
