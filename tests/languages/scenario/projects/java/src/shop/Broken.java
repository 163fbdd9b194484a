package shop;

class Broken {
    ArrayList<String> names;
}
