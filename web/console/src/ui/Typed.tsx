import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useSettled } from './settled';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onType: (value: string) => void;
}

/**
 * Typed is a text input that reports its text when the reader stops typing. If the new value arrives late, nothing
 * typed meanwhile is lost.
 */
export function Typed({ value, onType, ...shown }: Props) {
  const [text, setText] = useState(value);
  const settle = useSettled(value, onType, () => setText(value));
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
