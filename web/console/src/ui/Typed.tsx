import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useSettled } from './settled';

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onType: (value: string) => void;
}

/** Typed is a text of which others hear when the reader stops typing. However late they follow, nothing that is typed is lost. */
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
