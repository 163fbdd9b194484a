import { expect, test } from 'vitest';
import { functionsIn } from './goSource.ts';

test('functions that go test runs, with their lines', () => {
  const text = `package m

func TestMain(m *testing.M) { os.Exit(m.Run()) }
func TestAdd(t *testing.T) {
}
func Testify(t *testing.T) {}
func Test(t *testing.T) {}
func ExampleAdd() {
	fmt.Println(1)
	// Output: 1
}
func ExampleSilent() {
	fmt.Println(1)
}
func FuzzX(f *testing.F) {}
func BenchmarkX(b *testing.B) {}
func (s *Suite) TestMethod() {}
`;
  expect(functionsIn(text, '/m/a_test.go').map(({ name, line }) => `${name}:${line}`)).toEqual([
    'TestAdd:4',
    'Test:7',
    'ExampleAdd:8',
    'FuzzX:15',
  ]);
  expect(functionsIn(text, '/m/a.go')).toEqual([]);
});
