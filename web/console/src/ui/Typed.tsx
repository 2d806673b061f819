import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onType: (value: string) => void;
}

/** Typed is a text of which others hear when the reader stops typing. However late they follow, nothing that is typed is lost. */
export function Typed({ value, onType, ...shown }: Props) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  const settle = useDebouncedCallback((settled: string) => {
    told.current = settled;
    onType(settled);
  }, 250);
  useEffect(() => {
    if (value !== told.current) setText((told.current = value));
  }, [value]);
  return (
    <TextInput
      {...shown}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        settle(event.currentTarget.value.trim());
      }}
    />
  );
}
