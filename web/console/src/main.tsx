import '@mantine/core/styles.css';
import './app/app.css';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { App } from './app/App';
import { createQueryClient } from './app/queries';
import { routes } from './app/routes';

// Libraries that write a style element need the nonce of this page's content security policy.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App router={createBrowserRouter(routes)} client={createQueryClient()} nonce={nonce} />
  </StrictMode>,
);
