import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../test/render';
import { Prose } from './Prose';

test('commands stand out, and nothing in them is markup', () => {
  renderPage(<Prose text="Look with `aliquot node strays <b>`, then wait." />);
  expect(screen.getByText('aliquot node strays <b>').tagName).toBe('CODE');
  expect(document.body).toHaveTextContent('Look with aliquot node strays <b>, then wait.');
});

test('text without commands stays as it is', () => {
  renderPage(<Prose text="It is relieved by itself." />);
  expect(document.querySelector('code')).toBeNull();
  expect(document.body).toHaveTextContent('It is relieved by itself.');
});
