package cluster

import "testing"

func TestNodesAreAskedOnlyWhereNoProgramIsRun(t *testing.T) {
	for uri, c := range map[string]struct{ secure, plain bool }{
		"qemu+tls://10.0.0.2/system":                {true, true},
		"xen+tls://n2.example:16514/system":         {true, true},
		"qemu+tcp://10.0.0.2/system":                {false, true},
		"qemu+tls://10.0.0.2/system?command=/evil":  {false, false},
		"qemu+tls://10.0.0.2/system?":               {false, false},
		"qemu+tls://10.0.0.2/system#x":              {false, false},
		"qemu+tls://root@10.0.0.2/system":           {false, false},
		"qemu+tcp://10.0.0.2/system?socket=/x":      {false, false},
		"qemu+ext:///system?command=/store/evil":    {false, false},
		"qemu+ssh://10.0.0.2/system?command=/evil":  {false, false},
		"qemu+libssh://10.0.0.2/system":             {false, false},
		"qemu+unix:///system?socket=/store/evil":    {false, false},
		"qemu:///system":                            {false, false},
		"QEMU+EXT://x/system?command=/evil":         {false, false},
		"qemu+tls:///system":                        {false, false},
		"qemu+tls:10.0.0.2":                         {false, false},
		"qemu+tls://10.0.0.2/system\n?command=evil": {false, false},
		"": {false, false},
	} {
		if err := CheckMigrateURI(uri, false); (err == nil) != c.secure {
			t.Errorf("%q: %v", uri, err)
		}
		if err := CheckMigrateURI(uri, true); (err == nil) != c.plain {
			t.Errorf("%q, plain TCP allowed: %v", uri, err)
		}
	}
}
