package shop;

import java.util.List;

public class Main {
    static void spin() {
        long ticks = 0;
        while (ticks >= 0) {
            ticks++; // @spin
        }
    }

    public static void main(String[] args) {
        var items = List.of(new Cart.Item("pen", 150, 2), new Cart.Item("ink", 700, 1), new Cart.Gift("bow")); // @first
        int sum = Cart.total(items); // @call
        int half = Cart.percent(sum, 50); // @half
        int rest = sum - half;
        int part = Cart.percent(sum, 20); // @part
        System.out.println("half " + half + " " + rest + " " + part); // @print
        String mode = args.length > 0 ? args[0] : "";
        if (mode.equals("spin")) spin();
        if (mode.equals("fail")) Cart.percent(sum, 101); // @failing
    }
}
