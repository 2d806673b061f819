import { ActionIcon, Menu, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { leaveSession, useSession } from '../api/session';
import { Icon } from '../ui/Icon';
import { useNotify } from '../ui/Notifications';

/** SessionMenu shows the session's user and ends the session. */
export function SessionMenu() {
  const session = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const leave = async () => {
    try {
      await leaveSession();
    } catch (error) {
      notify.problem(error, 'You are still logged in');
      return;
    }
    client.clear();
    sessionStorage.clear(); // drafts, with what may be secret in them: the next user of this tab may be another
    await navigate('/login');
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Session of ${session.actor}`}>
          <Icon name="person" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={280}>
        <Menu.Label>
          <Text size="sm" className="wrap-anywhere" component="span">
            {session.actor}, {session.role}
            <br />
            project {session.project}
          </Text>
        </Menu.Label>
        <Menu.Item leftSection={<Icon name="leave" />} onClick={() => void leave()}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
