public class Broken {
    public static void main(String[] args) {
        int count = "three";
        missing(count);
    }
}
