/** A page of the console, and what tells that it shows what it is for. */
export interface PageToVisit {
  name: string;
  path: string;
}

/** All pages; those of a job, a node and a simulation are of ones that there are. */
export function pagesOf(job: string, node: string, simulation = ''): PageToVisit[] {
  return [
    { name: 'overview', path: '/' },
    { name: 'jobs', path: '/jobs' },
    { name: 'submit', path: '/jobs/submit' },
    { name: 'job', path: `/jobs/${job}` },
    { name: 'nodes', path: '/nodes' },
    { name: 'node', path: `/nodes/${node}` },
    { name: 'plan', path: '/plan' },
    { name: 'timeline', path: '/timeline' },
    { name: 'simulate', path: simulation ? `/simulate?id=${simulation}` : '/simulate' },
    { name: 'policy', path: '/policy' },
    { name: 'events', path: '/events' },
    { name: 'tokens', path: '/tokens' },
    { name: 'images', path: '/images' },
    { name: 'about', path: '/about' },
  ];
}
