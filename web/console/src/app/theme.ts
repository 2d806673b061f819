import { createTheme, type MantineColorsTuple } from '@mantine/core';

const petrol: MantineColorsTuple = ['#e8f6fb', '#d3eaf3', '#a5d3e6', '#73bbd9', '#4ba7ce', '#329bc8', '#1a85b3', '#0d739c', '#00658c', '#005676'];

/** The console's theme. It uses the reader's own fonts and loads nothing from elsewhere. */
export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 8, dark: 8 },
  colors: { petrol },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Noto Sans Mono", "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    Anchor: { defaultProps: { underline: 'always' } }, // colour alone does not distinguish a link from the text around it
    NumberInput: { defaultProps: { thousandSeparator: ',' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, multiline: true, maw: 360 } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
  },
});
