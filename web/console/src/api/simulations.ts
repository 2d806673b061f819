import { queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Simulation = Schemas['Simulation'];
export type NewSimulation = Schemas['NewSimulation'];
export type SimulationReport = Schemas['SimulationReport'];
export type SimulationRun = Schemas['SimulationRun'];

/** Reports whether a simulation waits or runs. */
export const unfinished = (simulation: Simulation) => simulation.state === 'waiting' || simulation.state === 'running';

/** The simulations that the manager keeps, newest first. They are requested often while one is unfinished. */
export const simulationsQuery = queryOptions({
  queryKey: ['simulations'],
  queryFn: () => content(api.GET('/v1/simulations')),
  refetchInterval: (query) => (query.state.data?.simulations.some(unfinished) ? 1000 : 30_000),
});

/** The report of a simulation, which never changes. */
export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['simulations', id, 'report'],
    queryFn: () => content(api.GET('/v1/simulations/{simulation}/report', { params: { path: { simulation: id } } })),
    staleTime: Infinity,
  });

export const startSimulation = (body: NewSimulation, key: string) =>
  content(api.POST('/v1/simulations', { params: { header: { 'Idempotency-Key': key } }, body }));

export async function cancelSimulation(id: string): Promise<void> {
  await api.POST('/v1/simulations/{simulation}/cancel', { params: { path: { simulation: id } } });
}

export async function deleteSimulation(id: string): Promise<void> {
  await api.DELETE('/v1/simulations/{simulation}', { params: { path: { simulation: id } } });
}
