import { Box, Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { MapNode } from '../../api/map';
import { bytes, cpu, plural } from '../../wording/amounts';
import { cell, cellAt, drawMap, gridOf, indexAt, inks, type Picture } from './canvas';
import { cpuOfCapacity, ofCapacity, stateInWords } from './standing';
import classes from './NodeCanvas.module.css';

/**
 * NodeCanvas is the map of a large cluster. The table of nodes shows the same as text. Arrow keys move between nodes,
 * Enter opens one.
 */
export function NodeCanvas({ nodes }: { nodes: MapNode[] }) {
  const { ref, width } = useElementSize();
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme('light');
  const navigate = useNavigate();
  const [chosen, choose] = useState<number>();
  const grid = gridOf(nodes.length, width || 900);
  const drawn = useRef<Picture>(undefined);
  useEffect(() => {
    const wanted = { nodes, ...grid, width: width || 900, ink: inks[scheme] };
    drawMap(canvas.current!, wanted, drawn.current);
    drawn.current = wanted;
  }, [nodes, grid.columns, grid.height, width, scheme]);
  const node = chosen === undefined ? undefined : nodes[chosen]; // undefined too if there are fewer nodes now
  const open = (it: MapNode | undefined) => it && void navigate(`/nodes/${it.name}`);
  const under = (event: React.MouseEvent) => indexAt(event.nativeEvent.offsetX, event.nativeEvent.offsetY, grid, nodes.length);
  const walk = (event: React.KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: grid.columns, ArrowUp: -grid.columns }[event.key];
    if (event.key === 'Enter') open(node);
    if (step === undefined) return;
    event.preventDefault();
    choose((old) => Math.min(nodes.length - 1, Math.max(0, (old ?? -1) + step)));
  };
  return (
    <>
      <Text size="sm" role="status" mih={22} className="ellipsis">
        {node ? describe(node) : 'Point at a node, or use the arrow keys, to see its numbers.'}
      </Text>
      <Box ref={ref} className={classes.map}>
        <canvas
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-label={`Map of ${plural(nodes.length, 'node')}`}
          style={{ width: '100%', height: grid.height }}
          onMouseMove={(event) => choose(under(event))}
          onMouseLeave={() => choose(undefined)}
          onClick={(event) => open(nodes[under(event) ?? -1])}
          onKeyDown={walk}
        />
        {chosen !== undefined && node && <Frame {...cellAt(chosen, grid)} />}
      </Box>
    </>
  );
}

function Frame({ x, y }: { x: number; y: number }) {
  return <div className={classes.frame} style={{ transform: `translate(${x - 3}px, ${y - 2}px)`, width: cell.width + 6, height: cell.height + 4 }} />;
}

function describe(node: MapNode): string {
  const needs = node.vms.reduce((sum, vm) => sum + vm.needMillicores, 0);
  return `${node.name}, ${stateInWords(node.state)}: ${plural(node.vms.length, 'VM')}, ${cpuOfCapacity(node.state, node.shareMillicores, node.cpuMillicores)} granted, ${cpu(needs)} needed, ${ofCapacity(node.state, bytes(node.memoryReservedBytes), bytes(node.memoryBytes))} charged`;
}
