# A guest loaded by multiboot. It works and idles in turns of as many milliseconds as its command line says
# at the end, by a timer; at 0 it never idles. Ten times a second, or after a turn of each kind, it writes two numbers in
# hexadecimal to the first serial port: how often it went around the loop that is its work, and the processor's clock.
	.section .text
	.code32
	.balign 4
	.long 0x1BADB002, 0, -0x1BADB002
	.globl _start
_start:
	cli
	movl $stack, %esp
	movl 16(%ebx), %esi		# the command line
	xorl %edi, %edi			# the number at its end
	xorl %eax, %eax
1:	lodsb
	testb %al, %al
	jz 3f
	subb $'0', %al
	cmpb $9, %al
	ja 2f
	imull $10, %edi
	addl %eax, %edi
	jmp 1b
2:	xorl %edi, %edi
	jmp 1b
3:	movl %edi, turn

	lgdt gdtr
	ljmp $8, $4f
4:	movw $16, %ax
	movw %ax, %ds
	movw %ax, %es
	movw %ax, %ss
	movl $tick, %eax
	movw %ax, idt + 8 * 0x40
	movl $0x8E000008, %ecx		# an interrupt gate in segment 8
	movw %cx, idt + 8 * 0x40 + 2
	shrl $16, %ecx
	movw %cx, idt + 8 * 0x40 + 4
	shrl $16, %eax
	movw %ax, idt + 8 * 0x40 + 6
	lidt idtr
	movb $0xff, %al			# no interrupts but those of the local APIC
	outb %al, $0x21
	outb %al, $0xa1
	testl %edi, %edi
	jnz 5f
	movl $50, %edi
5:	movl $100, %eax
	xorl %edx, %edx
	divl %edi
	movl %eax, often		# turns per line
	imull $1000000, %edi		# QEMU's APIC counts nanoseconds
	movl $0x1ff, 0xfee000f0
	movl $0x20040, 0xfee00320	# periodic
	movl $0xb, 0xfee003e0
	movl %edi, 0xfee00380
	sti

lines:	movl often, %ebp
work:	movl ticks, %esi
6:	addl $1, count
	adcl $0, count + 4
	cmpl %esi, ticks
	je 6b
	decl %ebp
	cmpl $0, turn
	je 8f
	movl ticks, %esi
7:	cli
	cmpl %esi, ticks
	jne 9f
	sti
	hlt
	jmp 7b
9:	sti
	decl %ebp
8:	testl %ebp, %ebp
	jg work
	movl count + 4, %eax
	call word
	movl count, %eax
	call word
	movb $' ', %al
	call byte
	rdtsc
	pushl %eax
	movl %edx, %eax
	call word
	popl %eax
	call word
	movb $'\n', %al
	call byte
	jmp lines

word:	movl $8, %ecx			# writes eax in hexadecimal
1:	roll $4, %eax
	pushl %eax
	andb $15, %al
	addb $'0', %al
	cmpb $'9', %al
	jbe 2f
	addb $'a' - '9' - 1, %al
2:	call byte
	popl %eax
	loop 1b
	ret

byte:	movw $0x3f8, %dx
	outb %al, %dx
	ret

tick:	incl ticks
	movl $0, 0xfee000b0
	iret

	.data
	.balign 4096			# an emulator translates code again when its page is written to
gdt:	.quad 0, 0x00cf9a000000ffff, 0x00cf92000000ffff
gdtr:	.word 23
	.long gdt
idtr:	.word 8 * 0x41 - 1
	.long idt
	.bss
	.balign 8
idt:	.skip 8 * 0x41
count:	.skip 8
ticks:	.skip 4
turn:	.skip 4
often:	.skip 4
	.skip 1024
stack:
