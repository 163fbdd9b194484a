import { describe, expect, it } from 'vitest';
import { LineIndex } from '../../../base/positions.ts';
import type { OutlineSymbol } from '../model.ts';
import { languageByName, lineLanguages } from './lineLanguages.ts';
import { blanked, lineOutline } from './lineOutline.ts';

/** `kind name first-last`, what is inside indented. */
function outline(language: string, ...lines: string[]): string[] {
  const rules = lineLanguages[language];
  if (rules === undefined) throw new Error(`no rules for ${language}`);
  const told = (symbol: OutlineSymbol, indent: string): string[] => [
    `${indent}${symbol.kind} ${symbol.name} ${symbol.range.start.line}-${symbol.range.end.line}`,
    ...symbol.children.flatMap((child) => told(child, `${indent} `)),
  ];
  const code = new LineIndex(blanked(lines.join('\n'), rules));
  return lineOutline(code, rules).flatMap((symbol) => told(symbol, ''));
}

describe('outlines by the rules of lines', () => {
  it('SQL: tables with their columns, views, functions, indexes; nothing of comments, strings and bodies', () => {
    expect(
      outline(
        'sql',
        'CREATE SCHEMA IF NOT EXISTS shop;',
        'CREATE TABLE IF NOT EXISTS shop.customers (',
        '  id BIGSERIAL PRIMARY KEY,',
        '  email TEXT NOT NULL, -- create table fake (',
        '  constraint positive check (id >= 0),',
        '  foreign key (id) references x (id)',
        ');',
        '/* CREATE TABLE hidden (id int); */',
        'CREATE OR REPLACE VIEW open_orders AS',
        "  SELECT 'create view x' FROM orders;",
        'create materialized view "daily totals" as select 1;',
        'CREATE UNIQUE INDEX CONCURRENTLY idx ON orders (id);',
        'CREATE OR REPLACE FUNCTION shop.total(p bigint) RETURNS numeric AS $$',
        'BEGIN',
        '  CREATE TABLE inner_one (id int);',
        'END;',
        '$$ LANGUAGE plpgsql;',
        'CREATE TEMP TABLE `scratch` (id int);',
        'INSERT INTO orders VALUES (1);',
        'CREATE TRIGGER touch BEFORE UPDATE ON orders EXECUTE FUNCTION touch();',
      ),
    ).toEqual([
      'schema shop 1-1',
      'table shop.customers 2-7',
      ' column id 3-3',
      ' column email 4-4',
      'view open_orders 9-10',
      'view daily totals 11-11',
      'index idx 12-12',
      'function shop.total 13-17',
      'table scratch 18-18',
      'trigger touch 20-20',
    ]);
  });

  it('Dockerfile: stages with what they set', () => {
    expect(
      outline(
        'dockerfile',
        '# FROM nothing',
        'ARG VERSION=20',
        'FROM --platform=linux/amd64 node:${VERSION} AS base',
        'WORKDIR /app',
        'ENV A=1 \\',
        '    B=2',
        '',
        'FROM nginx:alpine',
        'COPY --from=base /app /x',
        'EXPOSE 80',
        'CMD ["nginx"]',
      ),
    ).toEqual([
      'argument VERSION 2-2',
      'stage base 3-6',
      ' instruction WORKDIR /app 4-4',
      ' variable A 5-5',
      'stage nginx:alpine 8-11',
      ' instruction EXPOSE 80 10-10',
      ' instruction CMD ["nginx"] 11-11',
    ]);
  });

  it('Makefile: targets with their recipes, variables, macros', () => {
    expect(
      outline(
        'makefile',
        'CC := gcc # build: no',
        'CFLAGS += -g',
        '.PHONY: all',
        'all: build test',
        'build: main.o',
        '\t$(CC) -o app $^',
        '\tX = 1: 2',
        '%.o: %.c',
        '\t$(CC) -c $<',
        'define HELLO',
        'endef',
        'install: DESTDIR ?= /usr',
        'deploy/prod deploy/dev: all',
        '\t./deploy $@',
      ),
    ).toEqual([
      'variable CC 1-1',
      'variable CFLAGS 2-2',
      'target all 4-4',
      'target build 5-7',
      'target %.o 8-9',
      'macro HELLO 10-10',
      'target deploy/prod deploy/dev 13-14',
    ]);
  });

  it('Swift: types with their members, no locals', () => {
    expect(
      outline(
        'swift',
        'let limit = 10',
        'protocol Repo {',
        '  associatedtype Item',
        '  func find(id: Int) -> Item?',
        '}',
        'public struct Order: Codable {',
        '  static let none = Order(id: 0) // var fake',
        '  init(id: Int) {',
        '    let local = 1',
        '  }',
        '  mutating func pay(_ amount: Double) throws {',
        '    switch state { case .open: break }',
        '  }',
        '}',
        'enum State: String {',
        '  case open, paid',
        '  indirect case failed(reason: String, code: Int)',
        '}',
        'extension Order {',
        '  var text: String { "class X" }',
        '}',
        '@MainActor final class Service {',
        '  class func create() -> Service { Service() }',
        '}',
      ),
    ).toEqual([
      'variable limit 1-1',
      'protocol Repo 2-5',
      ' type Item 3-3',
      ' method find 4-4',
      'struct Order 6-14',
      ' property none 7-7',
      ' constructor init 8-10',
      ' method pay 11-13',
      'enum State 15-18',
      ' enum member open 16-16',
      ' enum member paid 16-16',
      ' enum member failed 17-17',
      'extension Order 19-21',
      ' property text 20-20',
      'class Service 22-24',
      ' method create 23-23',
    ]);
  });

  it('Dart: classes with constructors, accessors and fields', () => {
    expect(
      outline(
        'dart',
        'abstract class Shape { double get area; }',
        'class Circle extends Shape {',
        '  final double r;',
        '  Circle(this.r);',
        '  factory Circle.of(int x) => Circle(1);',
        '  @override double get area => r;',
        '  Future<void> load(int id) async {',
        '    var x = compute(1);',
        '    return other(x);',
        '  }',
        '}',
        'typedef Handler = void Function(String);',
        'void main(List<String> args) { print(1); }',
      ),
    ).toEqual([
      'class Shape 1-1',
      'class Circle 2-11',
      ' field r 3-3',
      ' constructor Circle 4-4',
      ' constructor Circle.of 5-5',
      ' property area 6-6',
      ' method load 7-10',
      'type Handler 12-12',
      'function main 13-13',
    ]);
  });

  it('Protocol Buffers and GraphQL: types with their fields', () => {
    expect(
      outline(
        'proto',
        'package shop.v1;',
        'message Order {',
        '  repeated Item items = 2;',
        '  map<string, string> labels = 4;',
        '  oneof payment {',
        '    string card = 5;',
        '  }',
        '}',
        'enum State { // no',
        '  OPEN = 0;',
        '}',
        'service Shop {',
        '  rpc Get(Order) returns (Order);',
        '}',
      ),
    ).toEqual([
      'package shop.v1 1-1',
      'message Order 2-8',
      ' field items 3-3',
      ' field labels 4-4',
      ' oneof payment 5-7',
      '  field card 6-6',
      'enum State 9-11',
      ' enum member OPEN 10-10',
      'service Shop 12-14',
      ' method Get 13-13',
    ]);
    expect(
      outline(
        'graphql',
        '"""type Fake"""',
        'type Query {',
        '  order(id: ID!): Order',
        '}',
        'enum State {',
        '  OPEN',
        '}',
        'union Found = Order | Customer',
        'extend type Query { me: Customer }',
        'query Get($id: ID!) { order(id: $id) { ...parts } }',
        'fragment parts on Order { id }',
      ),
    ).toEqual([
      'type Query 2-4',
      ' field order 3-3',
      'enum State 5-7',
      ' enum member OPEN 6-6',
      'union Found 8-8',
      'type Query 9-9',
      'operation Get 10-10',
      'fragment parts 11-11',
    ]);
  });

  it('files without a telling extension are known by their names', () => {
    expect(
      ['a/Dockerfile', 'Dockerfile.dev', 'x.dockerfile', 'GNUmakefile', 'rules.mk', 'a.gql', 'a.ts'].map(
        languageByName,
      ),
    ).toEqual(['dockerfile', 'dockerfile', 'dockerfile', 'makefile', 'makefile', 'graphql', undefined]);
  });
});
