package shop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import java.util.TreeMap;

/** A shop with a fault: an article without a price. */
public class Main {
    static int orders = 0;

    public static void main(String[] args) throws Exception {
        Cart cart = new Cart("Ada");
        cart.add(new Item("pen", 3, Kind.TOOL));
        cart.add(new Item("ink", 2, Kind.FLUID));
        orders++;
        int total = cart.total(10);
        System.out.println("total " + total + " " + String.join(",", args));
        Map<String, Integer> stock = new HashMap<>();
        stock.put("pen", 7);
        TreeMap<String, List<Integer>> sizes = new TreeMap<>(Map.of("b", List.of(2), "a", List.of(1, 2, 3)));
        ArrayDeque<String> queue = new ArrayDeque<>(List.of("x", "y"));
        Optional<String> none = Optional.empty();
        long[] numbers = {1L, 2L};
        StringBuilder text = new StringBuilder("built");
        Thread worker = new Thread(() -> Main.idle(), "worker");
        worker.setDaemon(true);
        worker.start();
        while (worker.getState() != Thread.State.TIMED_WAITING) Thread.onSpinWait();
        checkout(cart, stock);
    }

    static synchronized void idle() {
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException ended) {
            return;
        }
    }

    static void checkout(Cart cart, Map<String, Integer> stock) {
        try {
            for (Item item : cart.items) reserve(item, stock);
        } catch (IllegalArgumentException cause) {
            throw new IllegalStateException("cannot check out " + cart.owner, cause);
        }
    }

    static void reserve(Item item, Map<String, Integer> stock) {
        Integer left = stock.get(item.name());
        if (left == null) throw new IllegalArgumentException("no " + item.name());
        stock.put(item.name(), left - 1);
    }

    static String greeting() {
        return "hello " + new Scanner(System.in).nextLine();
    }

    enum Kind { TOOL, FLUID }

    record Item(String name, int price, Kind kind) {}

    static class Cart {
        final String owner;
        final List<Item> items = new ArrayList<>();
        int changes;

        Cart(String owner) {
            this.owner = owner;
        }

        void add(Item item) {
            items.add(item);
            changes = changes + 1;
        }

        int total(int factor) {
            int sum = 0;
            for (Item item : items) {
                sum += item.price() * factor;
            }
            return sum;
        }
    }
}
