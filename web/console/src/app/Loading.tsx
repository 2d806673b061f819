import { Center, Loader } from '@mantine/core';

/** Loading stands where the page will be. */
export function Loading() {
  return (
    <Center h="60vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}
