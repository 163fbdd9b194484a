package tools;

import java.util.Scanner;

public class Loop {
    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        String line = new Scanner(System.in).nextLine();
        long count = 0;
        while (!line.isEmpty()) {
            count++;
            Thread.sleep(5);
        }
    }
}
