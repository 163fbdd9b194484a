import { render } from 'preact';
import './styles/main.css';
import { App } from './app.tsx';
import { connect } from './client.ts';
import { followProcess } from './state.ts';
import './theme.ts';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
followProcess();
void connect();
