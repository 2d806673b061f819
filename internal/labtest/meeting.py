import os, re, select, socket, struct, time

name, own = os.environ["NAME"], os.environ["ALIQUOT_ADDRESS"]
card = next(n for n in os.listdir("/sys/class/net") if n != "lo")
mac = open("/sys/class/net/" + card + "/address").read().strip()
print("mac", mac, flush=True)
line = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
line.bind((card, 0))
line.setsockopt(263, 1, struct.pack("iHH8x", socket.if_nametoindex(card), 1, 0))  # get what is for other cards, too
EVERYBODY = "ff:ff:ff:ff:ff:ff"


def hardware(text):
    return bytes.fromhex(text.replace(":", ""))


def send(to, kind, body, source=mac):
    line.send(hardware(to) + hardware(source) + struct.pack("!H", kind) + body)


def text(kind):
    return f"<{kind}:{name}>".encode()


def packet(kind, to, source=own):
    payload = text(kind)
    udp = struct.pack("!HHHH", 7000, 7000, 8 + len(payload), 0) + payload
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, socket.inet_aton(source),
                       socket.inet_aton(to))
    total = sum(struct.unpack("!10H", head))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return head[:10] + struct.pack("!H", total ^ 0xFFFF) + head[12:] + udp


def question(kind, to):
    return (struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + hardware(mac) + socket.inet_aton(own) + bytes(6) +
            socket.inet_aton(to) + text(kind))


def call(targets):
    send(EVERYBODY, 0x0800, packet("broadcast", "255.255.255.255"))
    send(EVERYBODY, 0x0800, packet("subnet", own.rsplit(".", 1)[0] + ".255"))
    send("01:00:5e:00:00:01", 0x0800, packet("multicast", "224.0.0.1"))
    router = targets[0][0]
    for there, address in targets[1:]:
        if address == own:
            continue
        send(there, 0x0800, packet("unicast", address))
        send(there, 0x0800, packet("outside", "192.0.2.1"))
        send(EVERYBODY, 0x0800, packet("nobody", address, "0.0.0.0"))
        send(there, 0x0800, packet("nobody", address, "0.0.0.0"))
        send(EVERYBODY, 0x0806, question("arp", address))
        send(there, 0x0806, question("unicastarp", address))
        send(router, 0x0800, packet("router", address))
        send(there, 0x0800, packet("forged", address), there[:-2] + "f0")
        send(there, 0x0800, packet("forged", address, "10.76.0.1"))
        send(there, 0x86DD, bytes(40) + text("six"))
        send(there, 0x8100, struct.pack("!HH", 0, 0x0800) + packet("tagged", address))


heard, rounds = set(), 0
while True:
    try:
        call([words.split() for words in open("/tmp/targets")])
    except FileNotFoundError:
        pass
    until = time.monotonic() + 1
    while time.monotonic() < until:
        if select.select([line], [], [], 0.1)[0]:
            frame, (_, _, way, *_) = line.recvfrom(2000)
            if way != socket.PACKET_OUTGOING:
                heard.update(re.findall(r"<(\w+:\w+)>", frame.decode("latin-1")))
    rounds += 1
    if rounds % 4 == 0:
        print("heard", *sorted(heard), flush=True)
        heard.clear()
