import './styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyTheme } from '../../src/shell/theme.tsx';
import { App } from './app.tsx';
import { createControl } from './control.ts';
import { takeToken } from './token.ts';

applyTheme(localStorage);
const control = createControl(location.origin, takeToken(location, history, sessionStorage));
const place = document.getElementById('receiver');
if (place === null) throw new Error('the page has no place for the receiver');
createRoot(place).render(
  <StrictMode>
    <App control={control} />
  </StrictMode>,
);
