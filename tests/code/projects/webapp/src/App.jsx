import { Price } from './Price.jsx';

export const App = () => (
  <main>
    <Price cents={100} />
    <Price cents={200}></Price>
  </main>
);
