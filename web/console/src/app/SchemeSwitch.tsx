import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Icon, type IconName } from '../ui/Icon';

const schemes: { value: MantineColorScheme; label: string; icon: IconName }[] = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'auto', label: 'Like the system', icon: 'system' },
];

/** SchemeSwitch chooses light or dark. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const chosen = schemes.find((scheme) => scheme.value === colorScheme) ?? schemes[2]!;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Colours: ${chosen.label.toLowerCase()}`}>
          <Icon name={chosen.icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map((scheme) => (
          <Menu.Item key={scheme.value} leftSection={<Icon name={scheme.icon} />} onClick={() => setColorScheme(scheme.value)}>
            {scheme.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
