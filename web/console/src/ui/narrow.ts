import { useMediaQuery } from '@mantine/hooks';

/** Reports whether the window is as narrow as a phone. */
export const useNarrow = () => useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
