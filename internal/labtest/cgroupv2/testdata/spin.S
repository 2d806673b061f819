# A guest of one page, loaded by multiboot, that keeps up to 8 vCPUs busy forever. It says
# so by one byte on the first serial port, once all that starts it is done.
	.section .text
	.code32
	.balign 4
	.long 0x1BADB002, 0, -0x1BADB002
	.globl _start
_start:
	cli
	movw $0xfeeb, 0x8000		# where the other vCPUs begin: a jump to itself
	movl $0x000C4500, 0xfee00300	# INIT to all others, then twice to page 8
	movl $200000, %ecx
1:	loop 1b
	movl $0x000C4608, 0xfee00300
	movl $20000, %ecx
2:	loop 2b
	movl $0x000C4608, 0xfee00300
	movw $0x3f8, %dx
	movb $'\n', %al
	outb %al, %dx
3:	jmp 3b
