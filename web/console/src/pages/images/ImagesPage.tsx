import { Code, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { imagesQuery, removeImage, type Image } from '../../api/images';
import { useMay } from '../../api/session';
import type { Action } from '../../ui/action';
import { ActionButton } from '../../ui/ActionButton';
import { momentWidth, type Column } from '../../ui/column';
import { EmptyState } from '../../ui/EmptyState';
import { Moment } from '../../ui/Moment';
import { Page } from '../../ui/Page';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { useSort } from '../../ui/sort';
import { VirtualTable } from '../../ui/VirtualTable';
import { bytes } from '../../wording/amounts';
import { PushImage } from './PushImage';

/** ImagesPage lists the images that VMs can boot. */
export function ImagesPage() {
  const images = useQuery(imagesQuery);
  const operator = useMay('operator');
  const [sort, setSort] = useSort(columns);
  const shown = useMemo(() => (operator ? [...columns, removal] : columns), [operator]);
  return (
    <Page title="Images" actions={operator && images.data && <PushImage maxBytes={images.data.maxBytes} />}>
      <Text size="sm">
        An image is a kernel with an initial file system, or a disk with a system of its own. Images never change; operators push them here, disks with{' '}
        <Code>aliquot image push</Code>.
      </Text>
      {images.error && <ProblemAlert error={images.error} retry={() => void images.refetch()} />}
      {images.isPending && !images.error && <Loader aria-label="Loading the images" />}
      {images.data?.images.length === 0 && <EmptyState title="There are no images">Jobs need one: push a kernel with an initial file system.</EmptyState>}
      {images.data && images.data.images.length > 0 && (
        <VirtualTable label="Images" columns={shown} rows={images.data.images} rowKey={(image) => image.reference} sort={sort} onSort={setSort} />
      )}
    </Page>
  );
}

const columns: Column<Image>[] = [
  { id: 'reference', header: 'Image', help: 'Name for use in jobs', width: 262, value: (image) => image.reference, cell: (image) => <code>{image.reference}</code> },
  { id: 'size', header: 'Size', width: 92, align: 'end', value: (image) => image.sizeBytes, cell: (image) => bytes(image.sizeBytes) },
  { id: 'disk', header: 'Disk', help: 'What a VM sees, and the least that a job can ask for', width: 84, align: 'end', value: (image) => image.diskBytes ?? 0, cell: (image) => image.diskBytes !== undefined && bytes(image.diskBytes) },
  { id: 'added', header: 'Added', width: momentWidth.short, value: (image) => image.added, cell: (image) => <Moment at={image.added} /> },
  { id: 'builtin', header: 'Origin', width: 88, value: (image) => String(image.builtin), cell: (image) => (image.builtin ? 'built in' : 'pushed') },
  { id: 'cmdline', header: 'Kernel command line', width: 164, cell: (image) => <code>{image.cmdline}</code> },
];

const removal: Column<Image> = {
  id: 'remove', header: 'Remove', width: 100, cell: (image) => !image.builtin && <ActionButton size="compact-sm" action={remove(image)} aria-label={`Remove ${image.reference}`} />,
};

function remove(image: Image): Action {
  return {
    label: 'Remove',
    run: (key) => removeImage(image.digest, key),
    done: `The image ${image.name} is removed`,
    confirm: {
      title: `Remove the image ${image.name}?`,
      verb: 'Remove it',
      body: 'Jobs can no longer be submitted with it. To use it again you must push it again. Images in use cannot be removed.',
    },
  };
}
