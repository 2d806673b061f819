import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { plural } from '../wording/amounts';
import { fewNames, list } from '../wording/plan';

interface Props {
  names: string[];
  /** A noun for the names, for users who hear only the button. */
  label: string;
}

/** Names shows a list of names. Of a long list it shows the first few, and the others on request. */
export function Names({ names, label }: Props) {
  const [all, showAll] = useState(false);
  if (names.length <= fewNames) return list(names);
  const action = all ? 'fewer' : plural(names.length - fewNames, 'other');
  return (
    <>
      {(all ? names : names.slice(0, fewNames)).join(', ')}
      {all ? '; ' : ' and '}
      <Anchor component="button" type="button" inherit aria-expanded={all} aria-label={`${action} (${label})`} onClick={() => showAll(!all)}>
        {action}
      </Anchor>
    </>
  );
}
