import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useUrlState } from './url';

/** One tab and its content. */
export interface Tab {
  id: string;
  label: string;
  content: ReactNode;
}

/** UrlTabs are tabs whose choice is kept in the address. Only the chosen tab is rendered. */
export function UrlTabs({ tabs, label }: { tabs: Tab[]; label: string }) {
  const [chosen, choose] = useUrlState('tab', tabs[0]!.id);
  const known = tabs.some((tab) => tab.id === chosen) ? chosen : tabs[0]!.id;
  return (
    <Tabs value={known} onChange={(value) => choose(value ?? tabs[0]!.id)} keepMounted={false}>
      <Tabs.List aria-label={label}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.id} value={tab.id}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.id} value={tab.id} pt="md">
          {tab.content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
