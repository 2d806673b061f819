import { Center, Loader } from '@mantine/core';

/** Loading takes the place of a page that is being loaded. */
export function Loading() {
  return (
    <Center h="60vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}
