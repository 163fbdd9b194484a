package shop;

import java.util.List;

public class Cart {
    public interface Priced {
        int price();
    }

    /** One line of a cart. */
    public record Item(String name, int cents, int count) implements Priced {
        public int price() {
            return cents * count;
        }
    }

    public record Gift(String name) implements Priced {
        public int price() {
            return 0;
        }
    }

    static int total(List<? extends Priced> items) {
        int sum = 0;
        for (Priced item : items) {
            int cost = item.price();
            sum = sum + cost; // @add
        }
        return sum; // @return
    }

    static int percent(int sum, int part) {
        if (part > 100) { // @percent
            throw new IllegalArgumentException("part above 100"); // @fail
        }
        int product = sum * part; // @product
        return product / 100; // @divide
    }

    private static int unused() { // @unused
        return 1;
    }
}
