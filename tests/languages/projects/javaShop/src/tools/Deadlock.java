package tools;

public class Deadlock {
    static final Object pen = new Object();
    static final Object paper = new Object();

    static void take(Object first, Object second) throws InterruptedException {
        synchronized (first) {
            Thread.sleep(300);
            synchronized (second) {
                System.out.println("written");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            try {
                take(paper, pen);
            } catch (InterruptedException ended) {
                return;
            }
        }, "other");
        other.start();
        take(pen, paper);
    }
}
