import { render } from 'preact';
import { App } from './app.tsx';
import { element } from './element.ts';
import './page.css';

render(<App />, element('page'));
