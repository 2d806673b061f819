import { useMediaQuery } from '@mantine/hooks';

/** Tells whether the window is as narrow as a phone. */
export const useNarrow = () => useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
