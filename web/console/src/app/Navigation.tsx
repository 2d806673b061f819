import { NavLink } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { useSession } from '../api/session';
import { Icon, type IconName } from '../ui/Icon';

const pages: { to: string; label: string; icon: IconName; adminOnly?: boolean }[] = [
  { to: '/', label: 'Overview', icon: 'overview' },
  { to: '/nodes', label: 'Nodes', icon: 'nodes' },
  { to: '/jobs', label: 'Jobs', icon: 'jobs' },
  { to: '/workflows', label: 'Workflows', icon: 'workflows' },
  { to: '/plan', label: 'Plan', icon: 'plan' },
  { to: '/timeline', label: 'Timeline', icon: 'timeline' },
  { to: '/reservations', label: 'Reservations', icon: 'reservations' },
  { to: '/simulate', label: 'Simulate', icon: 'simulate' },
  { to: '/policy', label: 'Policy', icon: 'policy' },
  { to: '/usage', label: 'Usage', icon: 'usage' },
  { to: '/speeds', label: 'Speeds', icon: 'speeds' },
  { to: '/events', label: 'Events', icon: 'events' },
  { to: '/tokens', label: 'Tokens', icon: 'tokens', adminOnly: true },
  { to: '/audit', label: 'Audit', icon: 'audit', adminOnly: true },
  { to: '/images', label: 'Images', icon: 'images' },
  { to: '/about', label: 'About', icon: 'about' },
];

/** Navigation lists the pages that the session may see. */
export function Navigation() {
  const { pathname } = useLocation();
  const admin = useSession().role === 'admin';
  return pages
    .filter((page) => admin || !page.adminOnly)
    .map((page) => {
      const active = page.to === '/' ? pathname === '/' : pathname === page.to || pathname.startsWith(page.to + '/');
      return (
        <NavLink
          key={page.to}
          component={Link}
          to={page.to}
          label={page.label}
          active={active}
          aria-current={active ? 'page' : undefined}
          leftSection={<Icon name={page.icon} />}
        />
      );
    });
}
